import { compareDottedVersions } from '@muster/text'
import type { ListedProgram } from '../../platform/detection.ts'

/** How a package names a program that Windows lists: by the key of its entry, or by its name. */
export type ProgramQuery = { id?: string; name?: string; publisher?: string }

/** The entries that the query means, the latest version first. Throws if the query names nothing. */
export function findPrograms(programs: readonly ListedProgram[], query: ProgramQuery): ListedProgram[] {
  const { id, name, publisher } = query
  if ((id === undefined) === (name === undefined)) throw new Error("its form 'program' needs either an id or a name")
  const isMeant = id === undefined ? matcherOf(name ?? '', publisher) : hasId(id)
  return programs.filter(isMeant).toSorted((one, other) => compareDottedVersions(other.version, one.version))
}

const hasId = (id: string) => (program: ListedProgram) => program.id.toLowerCase() === id.toLowerCase()

const architectures = /\b(?:x64|x86|amd64|arm64|win64|win32|(?:64|32)[ -]?bit)\b/g
const dottedVersions = /\bv?\d+(?:\.\d+)+[\w.+-]*/g

/**
 * Names as they are compared. Vendors put the version into the name, which is compared by itself, and often the architecture: it
 * is compared only if the package names one.
 */
function toComparable(name: string, isWithArchitecture: boolean): string {
  const plain = name.normalize('NFKC').toLowerCase().replaceAll(dottedVersions, ' ')
  return (isWithArchitecture ? plain : plain.replaceAll(architectures, ' ')).replaceAll(/[^\p{L}\p{N}+#]+/gu, '')
}

const legalForms =
  /\b(?:inc|llc|ltd|limited|gmbh|ag|kg|corp|corporation|co|company|s\.?a|s\.?r\.?l|b\.?v|oy|ab|pty|foundation)\b\.?/g

const toComparablePublisher = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(legalForms, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

function matcherOf(name: string, publisher: string | undefined) {
  const isWithArchitecture = name.normalize('NFKC').toLowerCase().search(architectures) >= 0
  const wanted = toComparable(name, isWithArchitecture)
  if (wanted === '') throw new Error("the name in its form 'program' has no letters or digits")
  return (program: ListedProgram) =>
    toComparable(program.name, isWithArchitecture) === wanted && isSamePublisher(program.publisher, publisher)
}

/** Manifests and registries shorten publishers differently: 'JetBrains' is 'JetBrains s.r.o.' */
function isSamePublisher(listed: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const [one, other] = [toComparablePublisher(listed), toComparablePublisher(wanted)]
  // Many programs register no publisher.
  return one === '' || one.startsWith(other) || other.startsWith(one)
}
