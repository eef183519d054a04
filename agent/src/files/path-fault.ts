const maxPathLength = 1_000
const maxNameBytes = 255

/** With a colon, a stream of another file; without the last dots and spaces, another file; or a device. */
const isNoFileOfWindows = (name: string) =>
  /[<>:"|?*]|[. ]$/.test(name) || /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i.test(name)

/** Why a path is refused, or undefined. A path must stay below the package folder. */
export function pathFault(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is empty'
  if (path.length > maxPathLength) return 'is too long'
  if (path.includes('\\')) return 'has a backslash'
  if (/^\/|^[a-z]:/i.test(path)) return 'is absolute'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path) || !path.isWellFormed()) return 'has a control character'
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return `has a part that is empty, '.' or '..'`
  if (names.some(isNoFileOfWindows)) return 'has a name that means something else on Windows'
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return 'has a part that is too long'
  return undefined
}
