/** The texts about failed requests and conflicts. */
export const enProblems = {
  failed: 'Request failed',
  offline: 'You are offline.',
  unreachable: 'The service cannot be reached.',
  sessionHadEnded: 'Your session had ended.',
  inputKept: 'Your input is still here: try again.',
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
