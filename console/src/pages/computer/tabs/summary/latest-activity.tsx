import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Section } from '../../../../components/section.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { useComputerHistoryTexts } from '../../../../texts/computer-history-texts.ts'
import { textFor, useTexts } from '../../../../texts/texts.tsx'
import { Age } from '../../age.tsx'
import type { ComputerPageData } from '../../computer-data.ts'
import { resultKind } from '../../states.ts'
import classes from './summary.module.css'

const maxShown = 6

/** The newest entries of the distribution history. */
export function LatestActivity({ page }: { page: ComputerPageData }) {
  const { summary } = useTexts().computer
  const history = useComputerHistoryTexts()
  return (
    <Section
      title={summary.activity}
      actions={
        <Anchor component={Link} to={`/computers/${page.computer.id}/history?view=deployments`} size="sm">
          {summary.showHistory}
        </Anchor>
      }
    >
      {page.latestEvents.length === 0 ? (
        <Text c="dimmed" size="sm">
          {summary.noActivity}
        </Text>
      ) : (
        <ul className={classes.list}>
          {page.latestEvents.slice(0, maxShown).map(({ id, packageName, version, installMode, result, logDateUtc }) => (
            <li key={id} className={classes.line}>
              <Text size="sm" className="breakable">
                {installMode && `${textFor(history.modes, installMode) ?? installMode}: `}
                {[packageName ?? history.deletedPackage, version].filter(Boolean).join(' ')}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                <StatusBadge kind={resultKind(result)}>{textFor(history.results, result ?? '') ?? result}</StatusBadge>{' '}
                {logDateUtc && <Age atUtc={logDateUtc} />}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
