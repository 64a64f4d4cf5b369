"""bench/compare on reports made up for it: what is noise, what is not, and what may not be compared."""

import copy
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPARE = Path(__file__).resolve().parent / "compare"
BASE = {
    "format": 1, "version": "lodestar 0.1.0 (abc)", "quick": False,
    "machine": {"processor": "X", "load_at_start": 0.1},
    "parts": {"static": {"seconds": 1, "figures": {
        "learned: ratio": {"kind": "ratio", "runs": [4.0, 4.1, 4.2]},
        "learned: µs": {"kind": "time", "runs": [50, 52, 54]},
        "learned: expansions": {"kind": "count", "runs": [278, 278, 278]},
        "learned: wrong": {"kind": "wrong", "runs": [0, 0, 0]}}}},
}


class Compare(unittest.TestCase):
    def compare(self, change, *options):
        after = copy.deepcopy(BASE)
        change(after, after["parts"]["static"]["figures"])
        with tempfile.TemporaryDirectory() as folder:
            for name, report in (("a", BASE), ("b", after)):
                Path(folder, name).mkdir()
                Path(folder, name, "report.json").write_text(json.dumps(report))
            run = subprocess.run([sys.executable, COMPARE, f"{folder}/a", f"{folder}/b", *options],
                                 capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def test_what_is_no_report_is_refused(self):
        for text in ("", "{", "[]", "7", '{"format": 1}', '{"format": 9}'):
            with tempfile.TemporaryDirectory() as folder:
                name = Path(folder, "report.json")
                name.write_text(text)
                run = subprocess.run([sys.executable, COMPARE, name, name], capture_output=True, text=True)
            self.assertEqual(run.returncode, 2, text + run.stderr)
            self.assertTrue(run.stderr.startswith(f"bench/compare: {name}: "), run.stderr)

    def test_nothing_changed(self):
        status, text = self.compare(lambda report, figures: None)
        self.assertEqual(status, 0, text)
        self.assertIn("4 figures compared: 0 better, 0 worse, 4 within noise", text)

    def test_other_runs_of_one_figure(self):
        for why, figure, runs, status, said in (
                ("runs that overlap are noise", "µs", [53, 57, 60], 0, "0 worse"),
                ("apart, but less than twice the spread: noise", "µs", [55, 56, 63], 0, "0 worse"),
                ("slower beyond noise", "µs", [70, 71, 72], 1,
                 "| static | learned: µs | 52 | 71 | +36.5 % | worse |"),
                ("a larger ratio is better", "ratio", [5.0, 5.1, 5.2], 0, "1 better"),
                ("a count has no noise", "expansions", [279] * 3, 1, "1 worse"),
                ("a wrong answer is worse", "wrong", [0, 1, 1], 1, "1 worse")):
            with self.subTest(why):
                found, text = self.compare(lambda report, figures: figures["learned: " + figure].update(runs=runs))
                self.assertEqual((found, said in text), (status, True), text)

    def test_times_of_other_processors_are_not_compared(self):
        def change(report, figures):
            report["machine"]["processor"] = "Y"
            figures["learned: µs"]["runs"] = [500, 500, 500]

        status, text = self.compare(change)
        self.assertEqual((status, "times are not compared" in text), (0, True), text)

    def test_figures_that_are_gone_are_named(self):
        status, text = self.compare(lambda report, figures: figures.pop("learned: wrong"))
        self.assertEqual((status, "1 figures are gone, among them learned: wrong" in text), (0, True), text)

    def test_what_cannot_be_compared_is_refused(self):
        self.assertEqual(self.compare(lambda report, figures: report.update(quick=True))[0], 2)
        self.assertEqual(self.compare(lambda report, figures: report.update(format=2))[0], 2)


if __name__ == "__main__":
    unittest.main()
