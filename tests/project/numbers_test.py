#!/usr/bin/env python3
"""tools/numbers: numbers in the documents are those of the results files."""
import importlib.machinery
import importlib.util
import json
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def script(path):
    loader = importlib.machinery.SourceFileLoader(pathlib.Path(path).name, str(ROOT / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


numbers = script("tools/numbers")

TABLE = "| graph | µs |\n|:--|--:|\n| road | 1,234.56 ± 2 |\n| grid | 7 |\n"


class Numbers(unittest.TestCase):
    def folder(self, text):
        root = pathlib.Path(tempfile.mkdtemp())
        (root / "docs").mkdir()
        (root / "docs" / "r.md").write_text(TABLE)
        (root / "docs" / "r.json").write_text('{"a": [{"b": 0.125}]}')
        (root / "README.md").write_text(text)
        return root

    def test_documents_of_the_project(self):
        self.assertEqual(numbers.main(["--check"]), 0)

    def test_the_ablation_is_the_one_measured(self):
        ablation = script("learn/models/ablation")
        rows = json.loads(ablation.RESULTS.read_text())
        self.assertEqual(ablation.TABLE.search(ablation.PAGE.read_text())[0], ablation.table(rows))
        for name, row in rows.items():  # summaries follow from the seeds
            again = ablation.summary(row["seeds"], rows["base"]["seeds"] if name != "base" else row["seeds"])
            self.assertEqual(row["summary"], again, name)

    def test_inserts(self):
        root = self.folder("<!--=docs/r.md; road; µs; .1f-->?<!--/--> and "
                           "<!--=docs/r.md; road; µs#2; .0f-->?<!--/-->, "
                           "<!--=docs/r.json; /a/0/b; .2f-->?<!--/-->\n")
        self.assertEqual(numbers.main(["--check"], root), 1)
        self.assertEqual(numbers.main([], root), 0)
        text = numbers.MARKER.sub(r"\2", (root / "README.md").read_text())
        self.assertEqual(text, "1234.6 and 2, 0.12\n")
        self.assertEqual(numbers.main(["--check"], root), 0)

    def test_what_is_not_there_fails(self):
        for spec in ("docs/r.md; lake; µs; .1f", "docs/r.md; road; ms; .1f", "docs/no.md; a; b; d",
                     "docs/r.md; road; µs#3; .1f", "docs/r.json; /a/1/b; .2f", "docs/r.json"):
            root = self.folder(f"<!--={spec}-->5<!--/-->\n")
            self.assertEqual(numbers.main([], root), 1, spec)
            self.assertIn("5", (root / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
