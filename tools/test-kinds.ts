/** The words with which a test file starts programs of its own: it waits for them, and checks that they meet deadlines. */
const processes =
  /\b(start|spawn)(Service|Muster|Program|Backup|Depot|Cluster|ExternalPostgres|EmbeddedPostgres|Agent)|\b(spawn|execFile|fork|runOnce|enrolAgent)\(|\bsilence(One|All)\b|\brunCell\b/

/** Programs under Wine compute little: they wait for each other and for the service. */
const programsOfWindows = /\bopenWindowsWorld\b/

/** What computes for a long time, by the words with which a test file uses it: browsers, the demo, very many cases. */
const computations =
  /\binBrowser\b|\bopenDemoFleet\b|\bfc\.assert\b|\btest\.each\((operations|titledCalls)\b|\brecord(Locks|Plans)\b/

export type TestKind = 'waiting' | 'computing' | 'quick'

/** What the tests of a file with this text mostly do. */
export function kindOf(text: string): TestKind {
  if (programsOfWindows.test(text)) return 'waiting'
  if (computations.test(text)) return 'computing'
  return processes.test(text) ? 'waiting' : 'quick'
}
