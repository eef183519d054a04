export const enQuarantine = {
  title: 'Agents in quarantine',
  intro:
    'These agents claim to run on a computer that exists, without proving it by its UUID, or match several computers. They get no work until you confirm them.',
  columns: {
    computer: 'Computer',
    reported: 'Reported by the agent',
    matchedBy: 'Matches by',
    agent: 'Agent',
    address: 'Address',
    enrolled: 'Enrolled',
    actions: 'Actions',
  },
  properties: { Uuid: 'UUID', SerialNumber: 'Serial number', MacAddress: 'MAC address', Name: 'Name and domain' },
  emptyTitle: 'No agents in quarantine',
  emptyText: 'Agents appear here when a person must confirm them.',
  confirm: 'Confirm',
  confirmTitle: (name: string) => `Confirm the agent of ${name}?`,
  confirmText:
    'The agent gets the work of this computer, with its secrets. Compare the reported values with the computer first.',
  candidates: (count: number) => `one of ${count} computers`,
  choose: 'Computer on which the agent runs',
  chooseText: 'Several computers match the agent equally.',
  duplicates: {
    title: 'Computers with the same UUID',
    intro:
      'A UUID that several computers have identifies none of them. Their agents enrol only if the serial number, the MAC address or the name shows which computer it is. Correct or clear the UUIDs that are wrong.',
    columns: {
      uuid: 'UUID',
      computer: 'Computer',
      macAddress: 'MAC address',
      agent: 'Agent',
      lastSeen: 'Last contact',
    },
    hasAgent: 'enrolled',
    hasNoAgent: 'none',
  },
  replacesAgent: 'The computer has another agent, which is then shut out.',
  confirmed: 'Confirmed',
  reject: 'Reject',
  rejectTitle: (name: string) => `Reject the agent of ${name}?`,
  rejectText: 'Its credential is no longer valid. The computer stays as it is.',
  rejected: 'Rejected',
}
