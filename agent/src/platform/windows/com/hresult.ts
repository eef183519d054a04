/** The codes that an administrator is likely to meet, in words: COM, WMI and the Windows Update Agent. */
const meanings: Record<number, string> = {
  // COM
  0x80004001: 'not implemented on this system',
  0x80004002: 'the object does not support this',
  0x80004005: 'unspecified error',
  0x80040154: 'the component is not installed on this system',
  0x80070005: 'access denied',
  0x80070070: 'the disk is full',
  0x80070422: 'the service is disabled',
  0x800706ba: 'the service does not answer',
  0x80070bc9: 'a restart is required first',
  // WMI
  0x80041001: 'the provider has failed',
  0x80041002: 'not found',
  0x80041003: 'access denied',
  0x80041008: 'invalid parameter',
  0x8004100c: 'not supported',
  0x8004100e: 'the namespace does not exist on this system',
  0x80041010: 'the class does not exist on this system',
  0x80041013: 'the provider could not be loaded',
  0x80041017: 'invalid query',
  // Windows Update
  0x80072ee2: 'the connection to the update service has timed out',
  0x80072ee7: 'the name of the update service could not be resolved',
  0x80072efd: 'the update service cannot be reached',
  0x800f0922: 'Windows could not finish the update, for example because the system partition is full',
  0x80240001: 'the update service of Windows could not serve the request',
  0x8024000b: 'the operation was cancelled',
  0x8024000c: 'nothing had to be done',
  0x80240016: 'another installation is in progress, or a restart is pending',
  0x80240017: 'the update does not apply to this computer',
  0x80240020: 'the update needs a user who is signed in',
  0x80240022: 'all updates have failed',
  0x80240023: 'the licence of the update was declined',
  0x80240024: 'there are no updates',
  0x8024002e: 'policies do not allow access to the update service',
  0x80240044: 'only administrators can do this',
  0x80240438: 'the update service cannot be reached',
  0x80242014: 'a restart is required before the update is complete',
  0x80244010: 'the update service needed too many round trips; the next scan may succeed',
  0x80244017: 'the update service or its proxy requires a sign-in',
  0x80244018: 'the update service or its proxy denies access',
  0x80244019: 'the update service does not have the file',
  0x8024401c: 'the update service did not answer in time',
  0x80244022: 'the update service is overloaded',
  0x8024402c: 'the update service or its proxy was not found',
  0x8024500c: 'policies do not allow access to the update service',
  0x80246007: 'the update has not been downloaded',
  0x80248007: 'Windows Update does not have this information, for example about the licence',
}

/** The code as people look it up, with its meaning if that is known: `0x8004100e (the namespace does not exist…)`. */
export function describeHresult(code: number): string {
  const unsigned = code >>> 0
  const meaning = meanings[unsigned]
  const hex = `0x${unsigned.toString(16).padStart(8, '0')}`
  return meaning ? `${hex} (${meaning})` : hex
}

/** A call of COM that has failed. */
export class ComError extends Error {
  override name = 'ComError'
  readonly code: number

  constructor(call: string, code: number, detail?: string) {
    super(`${call} failed: ${describeHresult(code)}${detail ? `. ${detail}` : ''}`)
    this.code = code >>> 0
  }
}

/** Throws unless the code reports a success: failures have the highest bit. */
export function checkResult(call: string, code: number): number {
  if (code < 0 || code >>> 0 >= 0x80000000) throw new ComError(call, code)
  return code
}
