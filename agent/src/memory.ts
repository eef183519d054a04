/** Gives memory back to the system before a long pause. Does nothing unless Node was started with --expose-gc. */
export function releaseMemory(): void {
  const collect = (globalThis as { gc?: (options: object) => void }).gc
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
