/** Prints whether a target is met. A missed target makes the run fail. */
export function reportTarget(sentence: string, isMet: boolean): void {
  console.log(`${sentence}: ${isMet ? 'met' : 'MISSED'}`)
  if (!isMet) process.exitCode = 1
}
