import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { components } from '../../api/types.ts'
import { causeTitle } from '../../components/cause-title.ts'
import { Section } from '../../components/section.tsx'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import classes from './rollout.module.css'
import { addressOfFailure } from './use-failure-filter.ts'

type FailureGroup = components['schemas']['FailureGroup']

type FailureGroupsProps = {
  groups: readonly FailureGroup[]
  /** The part of the page that lists what has failed. */
  section: string
  /** Attempts are not counted on a page that counts failed computers: several belong to one computer. */
  countsAttempts: boolean
}

/** Failures by exit code and cause, the most frequent first. The first one shows its output at once. */
export function FailureGroups({ groups, ...shown }: FailureGroupsProps) {
  const rollouts = useRolloutTexts()
  return (
    <Section title={shown.countsAttempts ? rollouts.rollout.failures : rollouts.rollout.failureCauses}>
      {groups.length === 0 && (
        <Text size="sm" c="dimmed">
          {rollouts.rollout.noFailures}
        </Text>
      )}
      {groups.map((group, index) => (
        <Failure key={`${group.exitCode} ${group.cause}`} group={group} {...shown} isOpen={index === 0} />
      ))}
    </Section>
  )
}

type FailureProps = Omit<FailureGroupsProps, 'groups'> & { group: FailureGroup; isOpen: boolean }

function Failure({ group, section, countsAttempts, isOpen }: FailureProps) {
  const { failures } = useRolloutTexts()
  const { exitCode, cause, example } = group
  return (
    <details className={classes.failure} data-counted={countsAttempts} open={isOpen}>
      <summary>
        {countsAttempts && <span className={classes.count}>{failures.count(group.failures)}</span>}
        <span>{exitCode === null ? failures.noExitCode : failures.exitCode(exitCode)}</span>
        <span className="breakable">{causeTitle(cause) || failures.noCause}</span>
      </summary>
      <Anchor component={Link} to={addressOfFailure(group, section)} size="sm">
        {failures.showComputers}
      </Anchor>
      {example ? (
        <figure className={classes.example}>
          <figcaption>
            <Text size="sm" c="dimmed" component="span">
              {`${failures.outputOn} `}
              <Anchor component={Link} to={`/computers/${example.clientId}`}>
                {example.hostname}
              </Anchor>
              {countsAttempts && group.failed > 0 && ` · ${failures.final(group.failed)}`}
            </Text>
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className={classes.output} tabIndex={0} aria-label={failures.output(example.hostname)}>
            <pre>{example.output}</pre>
          </section>
        </figure>
      ) : (
        <Text size="sm" c="dimmed" pb="sm">
          {failures.noExample}
        </Text>
      )}
    </details>
  )
}
