const computers = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'computer' : 'computers'}`

/** The texts of the review panel, through which every change of the fleet goes. */
export const enActions = {
  reviewing: 'Trying it out',
  computers,
  noComputers: 'No computer is affected.',
  away: (n: number) =>
    `${computers(n)} ${n === 1 ? 'has' : 'have'} not reported for 7 days and will follow when ${n === 1 ? 'it is' : 'they are'} back.`,
  /** What a deployment does with a package. The number of computers is null if there is only one. */
  planned: {
    install: (n: number | null) => `install${n === null ? '' : ` on ${computers(n)}`}`,
    remove: (n: number | null) => `remove${n === null ? '' : ` from ${computers(n)}`}`,
    offer: (n: number | null) => `offer to the user${n === null ? '' : ` on ${computers(n)}`}`,
    pending: (n: number | null) => `already on its way${n === null ? '' : ` on ${computers(n)}`}`,
    nothingToDo: (n: number | null) => `nothing to do${n === null ? '' : ` for ${computers(n)}`}`,
    notApplicable: (n: number | null) => `not applicable${n === null ? '' : ` to ${computers(n)}`}`,
    inTotal: (what: string) => `In total: ${what}.`,
    requiredBy: (names: string) => `because of ${names}`,
    andMore: (n: number) => `and ${n.toLocaleString('en')} more`,
  },
  typeCount: (n: number) => `Type the number of computers (${n}) to confirm`,
  otherCount: 'The number of computers has changed since you looked. Nothing was done. Check it and confirm again.',
  changedMeanwhile: 'Someone else has changed this since you looked. Nothing was done. Check it and confirm again.',
  approvalTitle: 'A second administrator has to approve this',
  approvalText:
    'It exceeds the quota of destructive actions. The request waits for 24 hours; nothing has been done yet.',
  approvalNeeded: (n: number, quota: number, used: number | null) =>
    `It affects ${computers(n)}. ${used === null ? '' : `You may affect ${computers(quota)} within an hour with destructive actions, and have affected ${used.toLocaleString('en')}. `}If you request it, it waits for 24 hours until a second administrator approves it.`,
  requestApproval: 'Request approval',
  approvalOfWaveText:
    'The wave removes software from more computers than may lose it without an approval. The request waits for 24 hours; nothing has been done yet.',
  undo: 'Undo',
  changedByOthers: 'Someone else has changed this while you were editing',
  changedField: (name: string, before: string, now: string) => `${name}: ${before} → ${now}`,
  nothing: 'nothing',
  yes: 'Yes',
  no: 'No',
}
