const minutes = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'minute' : 'minutes'}`
const hours = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'hour' : 'hours'}`

/** What the person at a computer may do before work begins, and until when. */
export const enDeadlines = {
  legend: 'Deadline for the person at the computer',
  has: 'Ask the person, with a deadline',
  hasHint: 'Until the deadline the person may continue later. Then the work begins, whatever the person does.',
  afterHours: 'Hours after the computer got the work',
  afterHoursHint: 'Empty: only the latest time counts.',
  latestUtc: 'Latest time',
  needsEnd: 'Enter hours or a latest time.',
  maxPostponements: 'How often the person may choose "later"',
  quietFrom: 'Quiet hours from',
  quietUntil: 'Quiet hours until',
  quietHint: 'By the clock of the computer. Before the deadline, nothing begins in these hours.',
  closePrograms: 'Programs to close',
  closeProgramsHint: 'Exact names of processes, separated by commas. Nothing is closed before the deadline.',
  noticeMinutes: 'Minutes of notice before programs are closed or the computer restarts',
  ends: 'Deadline',
  inHours: (n: number) => `${hours(n)} after the computer got the work`,
  latest: (at: string) => `at the latest ${at}`,
  postponements: 'Postponements',
  quietHours: 'Quiet hours',
  programs: 'Closed at the deadline',
  notice: (n: number) => `with a notice of ${minutes(n)}`,
  choices: {
    Later: (work: string) => `${work}: the person chose to continue later`,
    Now: (work: string) => `${work}: the person chose to begin now`,
    NoAnswer: (work: string) => `${work}: the person was asked and did not answer`,
    QuietHours: (work: string) => `${work} waits for the end of the quiet hours`,
    Presentation: (work: string) => `${work} waits for the end of a presentation`,
    ProgramsOpen: (work: string) => `${work} waits until programs are closed`,
    ProgramsClosed: (work: string) => `${work}: programs were closed after the deadline`,
  },
  power: { Reboot: 'Restart', Shutdown: 'Shutdown', LogOff: 'Sign-out' },
  after: 'When all work is done',
  nothing: 'Nothing',
}
