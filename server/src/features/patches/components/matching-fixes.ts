import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a component of an advisory, from `patch_document_components`, fixes something that a component of a scanned
 * patch, from `patch_components`, brings to a computer: the fixed version is newer than the replaced one, and the patch has
 * that version or a later one. Both arguments are aliases of the surrounding query.
 */
export function fixesPatch(fixed: string, scanned: string): RawBuilder<boolean> {
  const [fix, patch] = [sql.ref(fixed), sql.ref(scanned)]
  return sql<boolean>`${fix}.component = ${patch}.component and ${fix}.version_key <= ${patch}.version_key
    and (${fix}.includes_later or ${fix}.version_key = ${patch}.version_key)
    and (${patch}.replaced_key is null or ${fix}.version_key > ${patch}.replaced_key)`
}
