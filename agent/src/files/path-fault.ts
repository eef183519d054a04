const longestPath = 1_000
const longestNameBytes = 255

/** Why a path of a list of files is refused, or undefined. It goes down from the folder of the package, and only down. */
export function pathFault(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is empty'
  if (path.length > longestPath) return 'is too long'
  if (path.includes('\\')) return 'has a backslash'
  if (/^\/|^[a-z]:/i.test(path)) return 'is absolute'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path) || !path.isWellFormed()) return 'has a control character'
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return `has a part that is empty, '.' or '..'`
  if (names.some((name) => Buffer.byteLength(name) > longestNameBytes)) return 'has a part that is too long'
  return undefined
}
