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
