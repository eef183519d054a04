const computers = (count: number) => (count === 1 ? '1 computer' : `${count} computers`)

/** The rule by which computers become members of a group. */
export const enGroupRule = {
  title: 'Rule',
  noRule: 'No rule: people and enrolment tokens choose the members.',
  membersByRule: (count: number) => `${computers(count)} added by the rule`,
  excluded: (count: number) => `${computers(count)} removed by people, not added again`,
  limit: (count: number) => `At most ${computers(count)} join or leave within an hour without confirmation.`,
  restless: (count: number) => `${computers(count)} kept where they are, because they keep joining and leaving`,
  warning: 'Computers choose by what they report whether they join',
  warnings: {
    ReportedProperties:
      'Computers report their operating system, model and network themselves. An agent that reports something false joins this ' +
      'group and gets what the group assigns. Select members by name or tag before this group, or one above it, gets secret values.',
    ReportedPropertiesGiveSecrets:
      'Computers report their operating system, model and network themselves. An agent that reports something false joins this ' +
      'group and gets the secret values that the group has or inherits. Select members by name or tag, or set the secret values ' +
      'on another group.',
    SecretForReportedProperties:
      'A rule adds computers to this group, or to one below it, by what they report about themselves. An agent that reports ' +
      'something false joins and gets this secret value. Select members by name or tag, or set the value on another group.',
  },
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
