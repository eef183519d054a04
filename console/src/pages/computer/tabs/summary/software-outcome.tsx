import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { OutcomeBar } from '../../../../components/outcome-bar.tsx'
import { Section } from '../../../../components/section.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { useTexts } from '../../../../texts/texts.tsx'
import type { ComputerPageData } from '../../computer-data.ts'
import { packageKinds, packageStateOf } from '../../states.ts'
import classes from './summary.module.css'

const maxShown = 5
const states = ['Success', 'Failed', 'Pending', 'NotApplicable'] as const

/** How many packages are in place, and which are not. */
export function SoftwareOutcome({ page }: { page: ComputerPageData }) {
  const { computer: texts } = useTexts()
  const tab = `/computers/${page.computer.id}/software`
  const attention = page.packages
    .filter(({ status }) => status !== 'Success')
    .toSorted((a, b) => a.status.localeCompare(b.status))
  return (
    <Section
      title={texts.summary.software}
      actions={
        <Anchor component={Link} to={tab} size="sm">
          {texts.summary.showAll(page.packages.length)}
        </Anchor>
      }
    >
      {page.packages.length === 0 ? (
        <Text c="dimmed" size="sm">
          {texts.summary.noSoftware}
        </Text>
      ) : (
        <Stack gap="sm">
          <OutcomeBar
            label={texts.summary.software}
            parts={states.map((state) => ({
              kind: packageKinds[state],
              value: page.packages.filter((one) => packageStateOf(one) === state).length,
              label: texts.packageStates[state],
              to: `${tab}?state=${state}`,
            }))}
          />
          <ul className={classes.list}>
            {attention.slice(0, maxShown).map(({ softwareId, name, version, status, errorText }) => (
              <li key={softwareId}>
                <div className={classes.line}>
                  <Anchor component={Link} to={`${tab}?why=${softwareId}`} size="sm">
                    {name} {version}
                  </Anchor>
                  <StatusBadge kind={packageKinds[status]}>{texts.packageStates[status]}</StatusBadge>
                </div>
                {errorText && (
                  <Text size="xs" c="dimmed" lineClamp={2} className="breakable">
                    {errorText}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </Section>
  )
}
