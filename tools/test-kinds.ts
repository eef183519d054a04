/** The words with which a test file starts programs of its own: it waits for them, and checks that they meet deadlines. */
const processes =
  /\b(start|spawn)(Service|Muster|Program|Backup|Depot|Cluster|ExternalPostgres|EmbeddedPostgres|Agent)|\b(spawn|execFile|fork|runOnce|enrolAgent)\(|\bsilence(One|All)\b|\brunCell\b/

/** What computes for a long time, by the words with which a test file uses it: browsers, the demo, Wine, very many cases. */
const computations =
  /\binBrowser\b|\bopen(DemoFleet|WindowsWorld)\b|\bfc\.assert\b|\btest\.each\(operations\b|\brecord(Locks|Plans)\b/

export type TestKind = 'waiting' | 'computing' | 'quick'

/** What the tests of a file with this text mostly do. */
export function kindOf(text: string): TestKind {
  if (computations.test(text)) return 'computing'
  return processes.test(text) ? 'waiting' : 'quick'
}
