/** One line per event. The journal of the system adds the time; a terminal gets it from here. */
export function log(message: string): void {
  const line = message.toWellFormed().replaceAll(/[\r\n]+/g, ' ')
  console.log(process.env.JOURNAL_STREAM ? line : `${new Date().toISOString()} ${line}`)
}
