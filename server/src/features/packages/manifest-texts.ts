import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../platform/like-pattern.ts'

/** A text from the manifest of the selected row of `packages`; null where the manifest lacks it. */
export function manifestText(section: 'image' | 'boot', name: string): RawBuilder<string | null> {
  return sql<string | null>`packages.manifest #>> array[${sql.lit(section)}, ${sql.lit(name)}]`
}

/** The path in the package store of a file that the manifest names. Manifests may use backslashes. */
export function manifestFilePath(section: 'image' | 'boot', name: string): RawBuilder<string | null> {
  return sql<string | null>`packages.folder || '/' || translate(${manifestText(section, name)}, '\\', '/')`
}

/** What the manifests of operating systems and language packs state about their image. */
const imageTexts = {
  osLanguage: manifestText('image', 'language'),
  os: manifestText('image', 'os'),
  osType: manifestText('image', 'osType'),
  osArchitecture: manifestText('image', 'architecture'),
}

/** The columns of the image, as the API shows them. */
export const imageColumns = [
  manifestFilePath('image', 'file').as('imagePath'),
  imageTexts.osLanguage.as('osLanguage'),
  imageTexts.os.as('os'),
  imageTexts.osType.as('osType'),
  imageTexts.osArchitecture.as('osArchitecture'),
] as const

/** Whether each text of the image contains the part that is searched for. A missing or empty part matches everything. */
export function imageContains(parts: { [K in keyof typeof imageTexts]?: string | null }): RawBuilder<boolean> {
  const conditions = Object.entries(imageTexts).flatMap(([name, text]) => {
    const part = parts[name as keyof typeof imageTexts]
    return part ? [sql<boolean>`${text} ilike ${containing(part)}`] : []
  })
  return sql<boolean>`(${sql.join([sql<boolean>`true`, ...conditions], sql` and `)})`
}
