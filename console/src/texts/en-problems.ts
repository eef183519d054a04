/** The texts about failed requests and conflicts. */
export const enProblems = {
  failed: 'Request failed',
  offline: 'You are offline.',
  unreachable: 'The service cannot be reached.',
  sessionHadEnded: 'Your session had ended.',
  inputKept: 'Your input is still here: try again.',
  atField: 'What is wrong stands at the field.',
  /** For problems without a sentence of their own, by the kind of their status. */
  refused: {
    input: 'The service does not accept what was entered.',
    role: 'You do not have the role that this needs.',
    gone: 'This does not exist, or no longer.',
    state: 'This cannot be done at the moment.',
    busy: 'The service is busy.',
    fault: 'The service has failed to do this.',
  },
  details: 'Details',
  requestId: (id: string) => `Request ${id}`,
  changedTitle: 'Edited by someone else',
  changedHint:
    'Someone saved changes after you opened this page. Changes of different values are combined. Where both of you changed the same value, choose one.',
  changedMeanwhile: 'Someone else has changed this in the meantime. Review the difference before you decide.',
  field: 'Field',
  mine: 'Yours',
  theirs: 'Theirs',
  result: 'Result',
  chooseOne: 'Choose one',
  before: 'Before',
  now: 'Now',
  seen: 'I have seen what changed',
  keepChosen: 'Save selection',
  takeTheirs: 'Discard my changes',
}
