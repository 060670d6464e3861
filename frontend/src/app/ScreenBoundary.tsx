import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, ErrorBox } from "@/ui";

function Broken({ error, again }: { error: unknown; again(): void }) {
  const { t } = useTranslation();
  return (
    <div className="p-6">
      <ErrorBox
        error={error}
        action={
          <Button size="small" onClick={again}>
            {t("retry")}
          </Button>
        }
      />
    </div>
  );
}

/** Keeps a fault inside its screen: the frame and the player go on. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Broken error={this.state.error} again={() => this.setState({ error: null })} />;
  }
}
