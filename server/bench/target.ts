/** Tells whether a bar is met; one that is missed makes the run fail. */
export function verdict(sentence: string, isMet: boolean): void {
  console.log(`${sentence}: ${isMet ? 'met' : 'MISSED'}`)
  if (!isMet) process.exitCode = 1
}
