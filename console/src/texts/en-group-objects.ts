const computers = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'computer' : 'computers'}`

/** Texts about what a group is given besides packages, about its kind and its depots. */
export const enGroupObjects = {
  assign: 'Assign something else',
  assignTitle: (name: string) => `Assign to ${name}`,
  submit: 'Assign',
  type: 'What',
  object: 'Which one',
  none: 'There is nothing of this kind.',
  edition: (name: string, edition: string) => `${name}: ${edition}`,
  assigns: (what: string, group: string, n: number) => `Assigns ${what} to ${group} with its ${computers(n)}.`,
  replaces: (what: string) => `It takes the place of ${what}: a group has at most one.`,
  alreadyAssigned: (what: string) => `${what} is assigned to this group already.`,
  assigned: (what: string) => `${what} is assigned`,

  kind: 'Change kind',
  kindTitle: (name: string) => `Kind of ${name}`,
  kindField: 'Kind',
  kinds: { Ordinary: 'Ordinary', EOL: 'End of life', Restore: 'Being restored' },
  kindHints: {
    Ordinary: 'Members, assignments and subgroups can be changed.',
    EOL: 'The group is frozen: its name, members and assignments cannot be changed. What is assigned stays in effect.',
    Restore: 'The group is frozen while its computers are restored. What is assigned stays in effect.',
  },
  hasSubgroups: 'Only a group without subgroups can be frozen.',
  freezes: (name: string, n: number) => `Freezes ${name} with its ${computers(n)}. Nothing is installed or removed.`,
  releases: (name: string, n: number) => `${name} with its ${computers(n)} can be changed again.`,

  depots: 'Choose depots',
  depotsTitle: (name: string) => `Depots of ${name}`,
  depotsField: 'Depots, in the order in which they are tried',
  depotsHint:
    'To change the order, remove a depot and choose it again. Without any, the depots of the groups above are used.',
  depotsOrder: (names: string, n: number) =>
    `${computers(n)} ${n === 1 ? 'gets its' : 'get their'} files from: ${names}.`,
  noDepots: (n: number) => `${computers(n)} ${n === 1 ? 'follows' : 'follow'} the groups above.`,
}
