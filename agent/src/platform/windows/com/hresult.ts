/** The codes that an administrator is likely to meet, in words: COM, WMI and the Windows Update Agent. */
const meanings: Record<number, string> = {
  // COM
  2147500033: 'not implemented on this system',
  2147500034: 'the object does not support this',
  2147500037: 'unspecified error',
  2147746132: 'the component is not installed on this system',
  2147942405: 'access denied',
  2147942512: 'the disk is full',
  2147943458: 'the service is disabled',
  2147944122: 'the service does not answer',
  2147945417: 'a restart is required first',
  // WMI
  2147749889: 'the provider has failed',
  2147749890: 'not found',
  2147749891: 'access denied',
  2147749896: 'invalid parameter',
  2147749900: 'not supported',
  2147749902: 'the namespace does not exist on this system',
  2147749904: 'the class does not exist on this system',
  2147749907: 'the provider could not be loaded',
  2147749911: 'invalid query',
  // Windows Update
  2147954402: 'the connection to the update service has timed out',
  2147954407: 'the name of the update service could not be resolved',
  2147954429: 'the update service cannot be reached',
  2148469026: 'Windows could not finish the update, for example because the system partition is full',
  2149842945: 'the update service of Windows could not serve the request',
  2149842955: 'the operation was cancelled',
  2149842956: 'nothing had to be done',
  2149842966: 'another installation is in progress, or a restart is pending',
  2149842967: 'the update does not apply to this computer',
  2149842976: 'the update needs a user who is signed in',
  2149842978: 'all updates have failed',
  2149842979: 'the licence of the update was declined',
  2149842980: 'there are no updates',
  2149842990: 'policies do not allow access to the update service',
  2149843012: 'only administrators can do this',
  2149844024: 'the update service cannot be reached',
  2149851156: 'a restart is required before the update is complete',
  2149859344: 'the update service needed too many round trips; the next scan may succeed',
  2149859351: 'the update service or its proxy requires a sign-in',
  2149859352: 'the update service or its proxy denies access',
  2149859353: 'the update service does not have the file',
  2149859356: 'the update service did not answer in time',
  2149859362: 'the update service is overloaded',
  2149859372: 'the update service or its proxy was not found',
  2149863436: 'policies do not allow access to the update service',
  2149867527: 'the update has not been downloaded',
  2149875719: 'Windows Update does not have this information, for example about the licence',
}

/** The code as people look it up, with its meaning if that is known: `0x8004100e (the namespace does not exist…)`. */
export function describeHresult(code: number): string {
  const unsigned = code >>> 0
  const meaning = meanings[unsigned]
  const hex = `0x${unsigned.toString(16).padStart(8, '0')}`
  return meaning ? `${hex} (${meaning})` : hex
}

/** No such namespace, class, object or component: the computer does not have what was asked. */
const absences = [0x8004100e, 0x80041010, 0x80041002, 0x80040154]

/** A call of COM that has failed. */
export class ComError extends Error {
  override name = 'ComError'
  readonly code: number

  constructor(call: string, code: number, detail?: string) {
    super(`${call} failed: ${describeHresult(code)}${detail ? `. ${detail}` : ''}`)
    this.code = code >>> 0
  }

  /** Whether the computer does not have what was called, so nothing is wrong. */
  get isAbsence(): boolean {
    return absences.includes(this.code)
  }
}

/** Throws unless the code reports a success: failures have the highest bit. */
export function checkResult(call: string, code: number): number {
  if (code < 0 || code >>> 0 >= 0x80000000) throw new ComError(call, code)
  return code
}
