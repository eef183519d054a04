// W3C Trace Context: to which request, of any program, something belongs.

export type TraceContext = {
  /** Of the whole trace: 32 hexadecimal digits. */
  traceId: string
  /** Of the caller, or of the work that is described: 16 hexadecimal digits. */
  spanId: string
  /** Whether the caller records the trace. */
  isSampled: boolean
}

/** More than any version of the format has. */
const maxLength = 200
const format = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const onlyZeros = /^0+$/
const sampledFlag = 1

/** Reads a header `traceparent`, which anybody may have written. Undefined unless it is valid. */
export function parseTraceparent(value: unknown): TraceContext | undefined {
  if (typeof value !== 'string' || value.length > maxLength) return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] = format.exec(value) ?? []
  // Later versions may have more at their end.
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 }
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
