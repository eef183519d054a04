/** What waits for a person in the data set are agents in quarantine, requests for packages and packages that fail. */
export const unseenDecisions = [
  'DecisionKind=AwayDepot',
  'DecisionKind=Approval',
  'DecisionKind=ExpiringCertificate',
  'DecisionKind=ExpiringSecret',
  'DecisionKind=PausedRollout',
  'DecisionKind=StoppedRule',
  'DecisionKind=StoppedWebhook',
]
