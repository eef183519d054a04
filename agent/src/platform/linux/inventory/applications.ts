import { cleanText } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

/** The snaps, and the Flatpak applications and runtimes that are installed for all users. */
export async function collectApplications(system: SystemAccess) {
  const [snaps, flatpaks] = await Promise.all([
    system.output('snap', 'list', '--color=never', '--unicode=never'),
    system.output('flatpak', 'list', '--system', '--columns=application,version,branch,origin'),
  ])
  return [...readSnaps(snaps ?? ''), ...readFlatpaks(flatpaks ?? '')]
}

type Application = { productName: string; version: string | null; publisher: string | null }

function toApplication(name: string | undefined, version: string | undefined, publisher: string | undefined) {
  const productName = cleanText(name)
  if (productName === null) return []
  return [{ productName, version: cleanText(version, 100), publisher: cleanText(publisher) }]
}

/** A table with a line of titles: name, version, revision, channel, publisher and notes. Marks follow publishers who are verified. */
function readSnaps(text: string): Application[] {
  const [titles = '', ...lines] = text.split('\n')
  if (!titles.startsWith('Name ')) return []
  return lines.flatMap((line) => {
    const [name, version, , , publisher] = line.trim().split(/\s+/)
    return toApplication(name, known(version), known(publisher)?.replace(/\*+$/, ''))
  })
}

/** A hyphen stands for what is not known, such as the publisher of a snap from a file. */
const known = (text: string | undefined) => (text === '-' ? undefined : text)

/** Columns with tabs between them. A runtime has a branch instead of a version. */
function readFlatpaks(text: string): Application[] {
  return text.split('\n').flatMap((line) => {
    const [name, version, branch, origin] = line.split('\t')
    return /^[\w-]+(\.[\w-]+)+$/.test(name ?? '') ? toApplication(name, version || branch, origin) : []
  })
}
