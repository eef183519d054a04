const administrativeAccounts = ['S-1-5-18', 'S-1-5-32-544']

export type FoundFolder = { isFolder: boolean; owner: string; ownAccount: string }

/**
 * Why an existing folder must not become the state folder; undefined if it can. Everybody can create folders in %ProgramData%,
 * and somebody who created this one could have left a way to change it.
 */
export function findReasonAgainstFolder(
  path: string,
  { isFolder, owner, ownAccount }: FoundFolder,
): string | undefined {
  if (!isFolder) return `${path} is not a folder.`
  if (administrativeAccounts.includes(owner) || owner === ownAccount) return undefined
  return `${path} belongs to the account ${owner}. Remove it, or make the administrators its owner.`
}
