// Plays searches: how many of their expansions are shown.
import { get } from "./page";

export class Player {
  shown = 0;
  private playing = false;

  // longest(): expansions of the longest search.
  constructor(private readonly longest: () => number, private readonly changed: () => void) {
    get("play").addEventListener("click", () => this.play());
    get("slider").addEventListener("input", () => { this.stop(); this.show(Number(get<HTMLInputElement>("slider").value)); });
  }

  show(count: number): void {
    this.shown = count;
    const slider = get<HTMLInputElement>("slider"), longest = this.longest();
    slider.max = String(longest);
    slider.value = String(count);
    get("shown").textContent = longest > 0 ? `${Math.round(count).toLocaleString("en")} of ${longest.toLocaleString("en")} expansions` : "–";
    this.changed();
  }
  showAll(): void {
    this.stop();
    this.show(this.longest());
  }
  // One hundredth forward or back.
  step(sign: number): void {
    this.stop();
    const by = Math.max(1, Math.round(this.longest() / 100)) * sign;
    this.show(Math.max(0, Math.min(this.longest(), this.shown + by)));
  }

  stop(): void {
    this.playing = false;
    get("play").setAttribute("aria-pressed", "false");
    get("play").textContent = "Play";
  }

  play(): void {
    if (this.playing) { this.stop(); return; }
    if (this.longest() === 0) return;
    this.playing = true;
    get("play").setAttribute("aria-pressed", "true");
    get("play").textContent = "Pause";
    if (this.shown >= this.longest()) this.show(0);
    let last = performance.now(), exact = this.shown;
    const step = (now: number) => {
      if (!this.playing) return;
      const speed = Number(get<HTMLSelectElement>("speed").value);
      exact += ((now - last) / 1000) * speed * Math.max(20, this.longest() / 6);  // six seconds for all
      last = now;
      this.show(Math.min(this.longest(), Math.floor(exact)));
      if (this.shown >= this.longest()) this.stop(); else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}
