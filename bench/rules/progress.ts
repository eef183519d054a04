export type Progress = (phase: string) => void

/** Prints what begins, with the time since the start. */
export function startProgress(): Progress {
  const start = performance.now()
  return (phase) => console.log(`[${Math.round((performance.now() - start) / 1_000)} s] ${phase}`)
}
