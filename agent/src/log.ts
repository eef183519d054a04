/** Prints one line per event. The systemd journal adds the time itself; a terminal gets it from here. */
export function log(message: string): void {
  const line = message.toWellFormed().replaceAll(/[\r\n]+/g, ' ')
  console.log(process.env.JOURNAL_STREAM ? line : `${new Date().toISOString()} ${line}`)
}
