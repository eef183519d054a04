/** Whether a client that gets this status may simply send its request again later. */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429
}

/** The same for the kinds of errors that simulated computers tell: a status and its code, or what broke the connection. */
export function isRetryableKind(kind: string): boolean {
  const [, status] = /^(\d{3}) /.exec(kind) ?? []
  return status === undefined || isRetryableStatus(Number(status))
}
