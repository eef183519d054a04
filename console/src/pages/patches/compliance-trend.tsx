import { Section } from '../../components/section.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Trend } from '../overview/trend.tsx'
import { useHistory } from '../overview/use-overview.ts'

/** How many scanned computers are within the SLA and beyond it, day by day. */
export function ComplianceTrend() {
  return useHasRole('computer.read') ? <History /> : null
}

function History() {
  const { compliance } = usePatchTexts()
  const { trends } = useTexts().overview
  const history = useHistory('patchSla')
  return (
    <Section title={trends.titles[history.span]}>
      <Trend
        title={compliance.trend}
        {...history}
        series={[
          { id: 'WithinSla', label: compliance.ofComputer.states.WithinSla, kind: 'good' },
          { id: 'Overdue', label: compliance.ofComputer.states.Overdue, kind: 'bad' },
        ]}
      />
    </Section>
  )
}
