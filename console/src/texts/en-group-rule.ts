const computers = (count: number) => (count === 1 ? '1 computer' : `${count} computers`)

/** The rule by which computers become members of a group. */
export const enGroupRule = {
  title: 'Rule',
  noRule: 'No rule: people and enrolment tokens choose the members.',
  membersByRule: (count: number) => `${computers(count)} added by the rule`,
  excluded: (count: number) => `${computers(count)} removed by people, not added again`,
  limit: (count: number) => `At most ${computers(count)} join or leave within an hour without confirmation.`,
  stopped: 'The rule has stopped',
  stoppedText: (joining: number, leaving: number) =>
    `${computers(joining)} would have joined and ${computers(leaving)} would have left, more than the rule allows within an hour. ` +
    'Nobody joins or leaves until you review and set the rule again.',
  create: 'Add rule',
  edit: 'Edit rule',
  confirm: 'Review and set again',
  remove: 'Remove rule',
  byRule: 'By rule',
  author: 'Added',
  byHand: 'By people',
  panelTitle: (group: string) => `Rule of ${group}`,
  set: 'Set rule',
  removes: (count: number) => `The rule is removed. The ${computers(count)} that it has added stay members.`,
  isRemoved: 'The rule was removed.',
  isSet: (joined: number, left: number) => `${computers(joined)} joined, ${computers(left)} left.`,
  effect: (joining: number, leaving: number) =>
    `${computers(joining)} ${joining === 1 ? 'joins' : 'join'} now, ${computers(leaving)} ${leaving === 1 ? 'leaves' : 'leave'}.`,
  joins: 'Joins',
  leaves: 'Leaves',
  more: (count: number) => `and ${count} more`,
  blocked: (count: number) => `${computers(count)} match but stay in another configuration group.`,
  fieldsHint:
    'One value per line. A computer matches if it has one of the values of each field. * is any text, ? any character.',
  fields: {
    names: 'Names',
    domains: 'Domains',
    operatingSystems: 'Operating systems',
    models: 'Models',
    networks: 'Networks (CIDR)',
    tags: 'Tags',
    maxChangesPerHour: 'Changes within an hour without confirmation',
  },
  or: ' or ',
}
