/** What stands in causes of failures for the details that differ between computers: the same reason has the same cause. */
export const causePlaceholders = ['url', 'id', 'path', 'hex', 'host', 'n'] as const

const placeholders = new RegExp(
  `<(?:${causePlaceholders.join('|')})>(?:[ .,:-]*<(?:${causePlaceholders.join('|')})>)*`,
  'g',
)

/** A cause as people read it: `no space left on <path>` becomes `no space left on …`. */
export function readableCause(cause: string): string {
  return cause.replaceAll(placeholders, '…').trim()
}
