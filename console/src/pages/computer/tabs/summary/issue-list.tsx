import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { IconCircleCheck } from '../../../../components/icons.ts'
import { Section } from '../../../../components/section.tsx'
import { useTexts } from '../../../../texts/texts.tsx'
import type { ComputerPageData } from '../../computer-data.ts'
import classes from './summary.module.css'

export function IssueList({ page }: { page: ComputerPageData }) {
  const { computer: texts } = useTexts()
  const { issues } = page
  return (
    <Section
      title={texts.tabs.issues}
      actions={
        issues.length > 0 && (
          <Anchor component={Link} to={`/computers/${page.computer.id}/issues`} size="sm">
            {texts.summary.showDetails}
          </Anchor>
        )
      }
    >
      {issues.length === 0 ? (
        <Group gap={6} c="dimmed">
          <IconCircleCheck size={16} aria-hidden />
          <Text size="sm">{texts.summary.noIssues}</Text>
        </Group>
      ) : (
        <ul className={classes.list}>
          {issues.map(({ issue, detail }) => (
            <li key={issue}>
              <Text size="sm" fw={600}>
                {texts.issues.names[issue]}
              </Text>
              {detail && (
                <Text size="xs" c="dimmed" className="breakable">
                  {detail}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
