export type Mount = { number: string; root: string; place: string; type: string; source: string }

/** The lines of /proc/self/mountinfo. */
export function mountsOf(text: string | undefined): Mount[] {
  return (text ?? '').split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ', 2)
    const [, , number, root, place] = before.split(' ')
    const [type, source] = after.split(' ')
    if (!number || !root || !place || !type || !source) return []
    return [{ number, root: unescaped(root), place: unescaped(place), type, source: unescaped(source) }]
  })
}

/** If a device is mounted several times, prefers the mount of its root, then the shorter path. */
export function oneForEachDevice(mounts: readonly Mount[]): Mount[] {
  const isTop = ({ root }: Mount) => Number(root === '/')
  const devices = Map.groupBy(mounts, ({ number, source }) => (number.startsWith('0:') ? source : number))
  return [...devices.values()].flatMap((same) =>
    same.toSorted((a, b) => isTop(b) - isTop(a) || a.place.length - b.place.length).slice(0, 1),
  )
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
