import { Anchor, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { PackagePageData } from '../../api/packages.ts'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../texts/texts.tsx'

/** How the package fares on the computers to which it is assigned, and through which groups. */
export function PackageStatus({ page: { status, groups } }: { page: PackagePageData }) {
  const { page, results } = useTexts().packages
  const { total, success, failed, pending, notApplicable } = status
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title={page.status}>
        {total === 0 ? (
          <Text size="sm" c="dimmed">
            {page.noComputers}
          </Text>
        ) : (
          <Stack gap="xs">
            <Text fz={28} fw={600} lh={1.2}>
              {page.assigned(total)}
            </Text>
            <OutcomeBar
              label={page.status}
              parts={[
                { kind: 'good', value: success, label: results.success },
                { kind: 'bad', value: failed, label: results.failed },
                { kind: 'running', value: pending, label: results.pending },
                { kind: 'neutral', value: notApplicable, label: results.notApplicable },
              ]}
            />
            <Text size="xs" c="dimmed">
              {page.statusHint}
            </Text>
          </Stack>
        )}
      </Section>
      <Section title={page.groups}>
        {groups.length === 0 ? (
          <Text size="sm" c="dimmed">
            {page.noGroups}
          </Text>
        ) : (
          <List size="sm" listStyleType="none" spacing={4}>
            {groups.map(({ id, path }) => (
              <List.Item key={id}>
                <Anchor component={Link} to={`/groups/${id}`} size="sm">
                  {path}
                </Anchor>
              </List.Item>
            ))}
          </List>
        )}
      </Section>
    </SimpleGrid>
  )
}
