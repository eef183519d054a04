export type StatusKind = 'good' | 'warning' | 'bad' | 'neutral' | 'running'

/** The colours of Mantine's theme by which badges, bars and charts show the same states. */
export const statusColours: Record<StatusKind, string> = {
  good: 'green',
  warning: 'orange',
  bad: 'red',
  neutral: 'gray',
  running: 'indigo',
}
