"""A session's life: from the row that is admitted to the row at rest.

                 add: no room yet
    POST ─────────────────────────▶ PENDING ───────────────┐ end, or no room in time
      │                                │ wait_for_room     │
      │ add: room at once              ▼                   ▼
      └────────────────────────────▶ STARTING           STOPPED, FAILED
                                       │    │              ▲
                    bring_up: claimed  │    │ end, failed  │ end: the box is gone
                                       ▼    ▼              │
                                    RUNNING ────────▶ STOPPING
                                            end, reaper

`states` has the moves, and the registry makes each by compare-and-swap: of two that try, one wins.  Who makes which:

    keeper      what callers ask for: create, extend, end
    admission   add → PENDING or STARTING; PENDING → STARTING, first come, first served, or → FAILED
    bring_up    STARTING → RUNNING, with a box from `pool` or a new one from `box_starter`; its outcome is the row
    end         anything → STOPPING → STOPPED or FAILED, by the one control plane that the row names
    reaper      finds what must end (expired, idle, crashed, evicted) and has it ended; adopts what a crash left

Below them: `starts` knows what is being brought up here, who waits for it and who waits for room; `directory` what the
gateway must know of each session; `quotas` decides about numbers, without I/O.  Each part is given the `Context` and
those parts that it calls, and none calls back: reaper → end → starts, bring_up → end, admission → pool → box_starter.
"""
