/** The one request of the demo concerns a group, and waits for somebody or for a day. */
export const unseenApprovalValues: string[] = [
  'Approval.answerStatus',
  'Approval.problemCode',
  'ApprovalState=Executed',
  'ApprovalState=Expired',
  'ApprovalState=Failed',
  'ApprovalSubjectKind=Computer',
  'ApprovalSubjectKind=Package',
]

/** Columns of requests that wait for somebody, of quotas, of the freeze and of the SLA, of which there is one. */
export const unusedApprovalColumns = [
  'approvals.answer_status',
  'approvals.computer_ids',
  'approvals.first_computers',
  'approvals.problem_code',
  'approvals.sealed_request',
  'approvals.state',
  'approvals.subjects',
  'destructive_actions.*',
  'rollouts.removal_computer_ids',
  'installation.api_quota',
  'installation.console_quota',
  'installation.freeze_reason',
  'installation.frozen_at',
  'installation.frozen_by',
  'installation.sla_critical_days',
  'installation.sla_important_days',
  'installation.sla_low_days',
  'installation.sla_moderate_days',
]
