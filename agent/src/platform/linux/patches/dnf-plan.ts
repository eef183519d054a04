import type { PatchPlan } from './install-released.ts'

/** These sections change what is installed. A new package, as a dependency or beside an older kernel, does not. */
const changing = /^(Upgrading|Downgrading|Reinstalling|Removing)\b.*:$/
const section = /^[A-Z][\w ]*:$/
const row = /^ ([A-Za-z0-9_][\w.+-]*)(\s|$)/
/** Below a package that takes the place of another one, which dnf removes. */
const replaced = /^ {1,20}replacing {1,20}(\S{1,250})\.\w{1,40}(\s|$)/

/** Parses what dnf would change. Undefined if it has found no way to do it. */
export function parseDnfPlan(text: string): PatchPlan | undefined {
  if (/^Nothing to do\.$/m.test(text)) return { changed: [] }
  const start = text.indexOf('Dependencies resolved.\n')
  const end = text.indexOf('\nTransaction Summary\n', start)
  if (start < 0 || end < 0) return undefined
  const changed: string[] = []
  let isChanging = false
  for (const line of text.slice(start, end).split('\n')) {
    if (section.test(line)) isChanging = changing.test(line)
    const name = replaced.exec(line)?.[1] ?? (isChanging ? row.exec(line)?.[1] : undefined)
    if (name !== undefined) changed.push(name)
  }
  return { changed }
}
