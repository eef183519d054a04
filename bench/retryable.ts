/** Whether a client may send the same request again after this status. */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429
}

/** The same for an error kind in the report of the simulator: a status with its code, or a connection error. */
export function isRetryableKind(kind: string): boolean {
  const [, status] = /^(\d{3}) /.exec(kind) ?? []
  return status === undefined || isRetryableStatus(Number(status))
}
