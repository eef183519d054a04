const administrativeAccounts = ['S-1-5-18', 'S-1-5-32-544']

export type FoundFolder = {
  isFolder: boolean
  owner: string
  ownAccount: string
  /** Whether it contains something while other accounts may write to it. */
  hasForeignContent: boolean
}

/**
 * Why an existing folder must not become the state folder; undefined if it can. Everybody can create folders in %ProgramData%,
 * and files in the folders of others there. Who created something could have left a way to change it: permissions of its own
 * survive those that the folder gets, and its owner can always change them.
 */
export function findReasonAgainstFolder(path: string, found: FoundFolder): string | undefined {
  const { isFolder, owner, ownAccount, hasForeignContent } = found
  if (!isFolder) return `${path} is not a folder. Remove it.`
  if (!administrativeAccounts.includes(owner) && owner !== ownAccount)
    return `${path} belongs to the account ${owner}. Remove it.`
  return hasForeignContent ? `${path} is open to other accounts, and not empty. Remove it.` : undefined
}

/** The names of accounts in permissions: SYSTEM, the administrators, and the owner, who is one of them. */
const trustedNames = ['SY', 'BA', 'OW', ...administrativeAccounts]

/** Rights with which nothing can be created, changed or removed: as pairs of letters, and as the bits of a number. */
const readingRights = ['FR', 'FX', 'GR', 'GX', 'RC', 'CC', 'SW', 'WP', 'LO']
const readingBits = 0xa012_00a9n

/** Whether permissions, in the language of security descriptors, let others than administrators write. */
export function isOpenToOthers(sddl: string, ownAccount: string): boolean {
  const entries = [...sddl.matchAll(/\(X?A;[^;]*;([^;]*);[^;]*;[^;]*;([^;)]*)/g)]
  // Permissions that are absent allow everything.
  if (entries.length === 0) return true
  return entries.some(
    ([, rights = '', account = '']) => ![...trustedNames, ownAccount].includes(account) && !isForReading(rights),
  )
}

function isForReading(rights: string): boolean {
  if (rights.startsWith('0x')) return (BigInt(rights) | readingBits) === readingBits
  return (rights.match(/../g) ?? []).every((right) => readingRights.includes(right))
}
