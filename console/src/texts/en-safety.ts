const computers = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'computer' : 'computers'}`

/** The texts about quotas, approvals and the freeze. */
export const enSafety = {
  title: 'Safety limits',
  intro: 'Limit what one mistake or one stolen credential can do.',
  toPage: 'Open safety limits',
  frozenTitle: 'No new work is handed out',
  frozenBy: (name: string, at: string) => `Frozen by ${name} on ${at}.`,
  freeze: {
    title: 'Freeze',
    hint: 'A freeze takes effect at the next contact of each agent. Agents get no new work and no computer boots from the network. Work that has started continues.',
    isOff: 'Work is handed out as usual.',
    start: 'Freeze',
    reason: 'Reason',
    reasonHint: 'Everybody who signs in sees it.',
    started: 'Frozen',
    end: 'End freeze',
    endTitle: 'End the freeze?',
    endText: 'Agents get all work that is due at their next contact.',
    ended: 'The freeze has ended',
  },
  quotas: {
    title: 'Quotas',
    hint: 'How many computers one principal may affect by destructive actions within an hour. Beyond that, a second administrator approves each action. Leave empty for no limit.',
    api: 'Programs with an access token',
    console: 'People in this console',
    submit: 'Save quotas',
  },
}

/** The texts about requests that need an approval. The keys of the states are those of the API. */
export const enApprovals = {
  title: 'Approvals',
  intro: 'Destructive actions beyond the quota of their principal. They wait for 24 hours.',
  state: 'State',
  columns: {
    request: 'Request',
    computers: 'Computers',
    requested: 'Requested by',
    state: 'State',
    actions: 'Actions',
  },
  states: { Pending: 'Waiting', Expired: 'Expired', Executed: 'Carried out', Failed: 'Failed', Denied: 'Denied' },
  until: 'until',
  subjects: { Group: 'Group', Computer: 'Computer', Package: 'Package' },
  computers: 'Affected computers',
  /** A name that differs from the one at the time of the request. */
  nowNamed: (name: string) => `now ${name}`,
  nowDeleted: 'deleted since',
  others: (n: number) => `and ${n.toLocaleString('en')} more`,
  received: 'They get',
  requestedAt: 'Requested',
  expiresAt: 'Expires',
  content: 'Request',
  boundHint:
    'Only these computers are affected, and they get nothing else. If others have joined since, they are left out; where that is not possible, or if they would get something else, the request fails.',
  failedBecause: (reason: string) => `Failed: ${reason}`,
  /** Why an approved request failed, for problems that people meet often. */
  problems: {
    ApprovedComputersChanged:
      'Other computers would be affected now. Nothing was changed; the request must be made again.',
    ApprovedContentChanged:
      'The computers would get something else now. Nothing was changed; the request must be made again.',
  },
  emptyTitle: 'No requests',
  emptyText: 'Requests appear here when a destructive action exceeds a quota.',
  ownHint: 'Another administrator must approve your request.',
  approve: 'Approve',
  approveTitle: (request: string) => `Approve “${request}”?`,
  approveText: (name: string, n: number) =>
    `The request of ${name} affects ${computers(n)}. It is carried out at once, with the rights of ${name}.`,
  approved: 'The request was carried out',
  deny: 'Deny',
  denyTitle: (request: string) => `Deny “${request}”?`,
  denyText: (name: string) => `The request of ${name} is not carried out.`,
  denied: 'Denied',
  /** The destructive operations. */
  requests: {
    activateComputer: 'Deploy to a computer',
    activateGroup: 'Deploy to a group',
    deleteComputer: 'Delete a computer',
    deleteComputers: 'Delete computers',
    deleteGroup: 'Delete a group',
    stopPatchOfPolicy: 'Stop a patch and roll it back',
    updatePatchPolicy: 'Change a patch policy',
    rebootComputer: 'Restart a computer',
    rebootComputers: 'Restart computers',
    removeDistributionOptions: 'Remove distribution options',
    requestSoftwareReinstall: 'Reinstall software',
    setDistributionOptions: 'Change distribution options',
    uninstallOnComputers: 'Uninstall software from computers',
    uninstallSoftware: 'Uninstall software',
  },
}
