const computers = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'computer' : 'computers'}`

/** The texts of the review panel, through which every change of the fleet goes. */
export const enActions = {
  reviewing: 'Trying it out',
  computers,
  noComputers: 'No computer is affected.',
  away: (n: number) =>
    `${computers(n)} ${n === 1 ? 'has' : 'have'} not reported for 7 days and will follow when ${n === 1 ? 'it is' : 'they are'} back.`,
  typeCount: (n: number) => `Type the number of computers (${n}) to confirm`,
  otherCount: 'The number of computers has changed since you looked. Nothing was done. Check it and confirm again.',
  changedMeanwhile: 'Someone else has changed this since you looked. Nothing was done. Check it and confirm again.',
  approvalTitle: 'A second administrator has to approve this',
  approvalText: 'It exceeds the quota of destructive actions. The request waits for 24 hours; nothing was done yet.',
  undo: 'Undo',
  changedByOthers: 'Someone else has changed this while you were editing',
  changedField: (name: string, before: string, now: string) => `${name}: ${before} → ${now}`,
  nothing: 'nothing',
  yes: 'Yes',
  no: 'No',
}
