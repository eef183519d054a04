/** The criteria of a rollout as facts, with their durations in words. */
export const enCriteria = {
  soakMinutes: 'Results must stay good for',
  awayHours: 'An absent computer does not count after',
  silentAfterMinutes: 'An agent is silent without contact for',
  bootTimeoutMinutes: 'A restart may take',
}
