import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { FreezeForm } from './freeze-form.tsx'
import { QuotaForm } from './quota-form.tsx'

/** The freeze and the quotas for destructive actions. */
export function SafetyPage() {
  const { safety } = useTexts()
  return (
    <Page title={safety.title} intro={safety.intro}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={safety.freeze.title} hint={safety.freeze.hint}>
          <FreezeForm />
        </Section>
        <Section title={safety.quotas.title} hint={safety.quotas.hint}>
          <QuotaForm />
        </Section>
      </SimpleGrid>
    </Page>
  )
}

function Section({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{title}</Title>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        {children}
      </Stack>
    </Paper>
  )
}
