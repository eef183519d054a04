import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { PathText } from '../../../../components/path-text.tsx'
import { Section } from '../../../../components/section.tsx'
import { textFor, useTexts } from '../../../../texts/texts.tsx'
import type { ComputerPageData } from '../../computer-data.ts'
import classes from './summary.module.css'

export function GroupsOfComputer({ page }: { page: ComputerPageData }) {
  const { summary } = useTexts().computer
  return (
    <Section title={summary.groups}>
      {page.groups.length === 0 ? (
        <Text c="dimmed" size="sm">
          {summary.noGroups}
        </Text>
      ) : (
        <ul className={classes.list}>
          {page.groups.map(({ groupId, path, assignedToTree }) => (
            <li key={groupId} className={classes.line}>
              <Anchor component={Link} to={`/groups/${groupId}`} size="sm" className="breakable">
                <PathText path={path} />
              </Anchor>
              <Text size="xs" c="dimmed">
                {textFor(summary.trees, assignedToTree) ?? assignedToTree}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
