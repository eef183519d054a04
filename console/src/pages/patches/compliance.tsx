import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { components } from '../../api/types.ts'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { PathText } from '../../components/path-text.tsx'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import classes from './compliance.module.css'

type Overview = components['schemas']['PatchOverview']
type Counts = { computers: number; scanned: number; compliant: number }

const shownGroups = 5

/** How many computers lack no security patch: of the fleet and of its largest groups. */
export function Compliance({ overview: { fleet, groups } }: { overview: Overview }) {
  const { compliance } = usePatchTexts()
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {compliance.hint}
      </Text>
      {fleet && <Row name={compliance.fleet} to="/computers?issue=missing-patch" counts={fleet} />}
      {groups.length === 0 && <Text c="dimmed">{compliance.empty}</Text>}
      {groups.slice(0, shownGroups).map((group) => (
        <Row
          key={group.groupId}
          name={group.path}
          to={`/computers?groupId=${group.groupId}&issue=missing-patch`}
          counts={group}
        />
      ))}
      {groups.length > 0 && (
        <Anchor component={Link} to="/patches/compliance" size="sm">
          {compliance.all}
        </Anchor>
      )}
    </Stack>
  )
}

type RowProps = { name: string; to: string; counts: Counts }

function Row({ name, to, counts: { computers, scanned, compliant } }: RowProps) {
  const { compliance } = usePatchTexts()
  const format = useFormat()
  const percent = format.percent(scanned === 0 ? 0 : compliant / scanned)
  return (
    <div className={classes.row}>
      <Anchor component={Link} to={to} size="sm" className="breakable">
        <PathText path={name} />
      </Anchor>
      <OutcomeBar
        isCompact
        label={name}
        parts={[
          { kind: 'good', value: compliant, label: compliance.compliant },
          { kind: 'bad', value: scanned - compliant, label: compliance.missing },
          { kind: 'neutral', value: computers - scanned, label: compliance.notScanned },
        ]}
      />
      <span className={classes.percent} title={compliance.share(percent)}>
        {scanned === 0 ? '–' : percent}
      </span>
    </div>
  )
}
