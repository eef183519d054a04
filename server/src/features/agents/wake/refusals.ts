const windowMs = 60_000

/** Counts refused credentials by machine, in this process: a flood of invented ones must not become one of statements. */
export function openRefusals(maxPerMinute: number) {
  const counts = new Map<string, number>()
  let since = performance.now()

  function startWindow(): void {
    if (performance.now() - since < windowMs) return
    counts.clear()
    since = performance.now()
  }

  return {
    isExceeded(machine: string): boolean {
      startWindow()
      return (counts.get(machine) ?? 0) >= maxPerMinute
    },
    record(machine: string): void {
      startWindow()
      counts.set(machine, (counts.get(machine) ?? 0) + 1)
    },
  }
}
