export const unseenGroupValues = [
  'DistributionCommand=Uninstall',
  'GroupKindName=EOL',
  'GroupKindName=Reinstall',
  'GroupKindName=Restore',
  'GroupMembershipStatus=NotEditableTree',
  'GroupMembershipStatus=SpecialGroup',
  'PackageReplacementStatus=CoveredBySoftwareClass',
  'PackageReplacementStatus=Failed',
  'PackageReplacementStatus=SpecialGroup',
  'VisibleGroupKind=EOL',
  'VisibleGroupKind=Restore',
]

/** The data set has one rule, by models, which has not stopped, in a group without secrets. */
export const unseenRuleValues = [
  'GroupRuleState=Stopped',
  'OwnGroupVariableValue.warning',
  'ReportedPropertiesWarningCode=ReportedPropertiesGiveSecrets',
  'ReportedPropertiesWarningCode=SecretForReportedProperties',
  ...['names', 'domains', 'operatingSystems', 'networks', 'tags'].map((name) => `GroupRuleCriteria.${name}`),
  ...['stoppedAtUtc', 'joining', 'leaving', 'restlessComputers'].flatMap((name) => [
    `GroupRule.${name}`,
    `SetGroupRuleResult.${name}`,
  ]),
]

export const unusedRuleColumns = [
  'group_rule_changes.*',
  'group_rule_exclusions.*',
  'rule_candidates.*',
  'group_rules.changes_in_hour',
  'group_rules.stopped_at',
  'group_rules.stopped_joining',
  'group_rules.stopped_leaving',
  'group_rules.swept_at',
  'group_rules.swept_to',
]

/** Values of names that only their form distinguishes. The service brings new names into one form. */
export const unseenDuplicateNames = [
  'DuplicateName.kind',
  'DuplicateName.shownName',
  'DuplicateName.id',
  'DuplicateName.name',
  'DuplicateName.place',
  'NamedKind=Computer',
  'NamedKind=CustomField',
  'NamedKind=Group',
  'NamedKind=Package',
  'NamedKind=PatchGroup',
  'NamedKind=SoftwareClass',
  'NamedKind=Tag',
  'NamedKind=VariableConfiguration',
  'NamedKind=VariableDefinition',
  'NamedKind=Webhook',
]
