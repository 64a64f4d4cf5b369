// The elements of the page, its colours and its error line.

export function get<T extends HTMLElement>(id: string): T { return document.getElementById(id) as T; }

export function showError(message: string | null): void {
  const box = get("error");
  box.hidden = message === null;
  box.textContent = message ?? "";
}

export function isDark(): boolean { return document.documentElement.dataset.theme === "dark"; }

export function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* private window */ }
}

// The theme of the last visit, or that of the system.
export function startTheme(): void {
  let theme: string | null = null;
  try { theme = localStorage.getItem("theme"); } catch { /* private window */ }
  document.documentElement.dataset.theme = theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
