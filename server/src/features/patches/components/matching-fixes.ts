import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a version that an advisory regards as fixed, from `patch_document_fixes`, is one that a component of a scanned
 * patch, from `patch_components`, brings to a computer: it is newer than the replaced version, and the patch has that
 * version or a later one. Both arguments are aliases of the surrounding query, which compares the components.
 */
export function isBroughtBy(fixed: string, scanned: string): RawBuilder<boolean> {
  const [fix, patch] = [sql.ref(fixed), sql.ref(scanned)]
  return sql<boolean>`${fix}.version_key <= ${patch}.version_key
    and (${fix}.includes_later or ${fix}.version_key = ${patch}.version_key)
    and (${patch}.replaced_key is null or ${fix}.version_key > ${patch}.replaced_key)`
}
