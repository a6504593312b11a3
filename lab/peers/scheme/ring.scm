;; One token round a ring of threads; each counts what it gets.

(define (member-of-ring next parent)
  (let loop ((counted 0))
    (let ((lap (thread-receive)))
      (if (eq? lap 'token)
          (begin
            (thread-send next lap)
            (loop (+ counted 1)))
          (begin
            (thread-send parent counted)
            (thread-send next lap))))))

;; The last thread is the first to be started, and is told who comes after it.
(define (last-of-ring rounds parent)
  (let ((first (thread-receive)))
    (let loop ((counted 0))
      (if (eq? (thread-receive) 'token)
          (begin
            (if (= (+ counted 1) rounds)
                (thread-send parent 'ran-all-rounds)
                (thread-send first 'token))
            (loop (+ counted 1)))
          (thread-send parent counted)))))

;; Hands over the seconds of setup and of the run.
(define (run-ring processes rounds receiver)
  (let* ((parent (current-thread))
         (begun (now))
         (last (start (lambda () (last-of-ring rounds parent))))
         (first (let loop ((i 1) (next last))
                  (if (= i processes)
                      next
                      (loop (+ i 1) (start (lambda () (member-of-ring next parent))))))))
    (thread-send last first)
    (let ((ready (now)))
      (thread-send first 'token)
      (thread-receive)
      (let ((end (now)))
        (thread-send first 'stop)
        (let loop ((i 0) (messages 0))
          (if (< i processes)
              (loop (+ i 1) (+ messages (thread-receive)))
              (ensure "delivered messages" messages (* processes rounds))))
        (receiver (- ready begun) (- end ready))))))

(define (ring args)
  (let* ((processes (count-of args "processes" 3000))
         (rounds (count-of args "rounds" 1000))
         (few (max 1 (quotient rounds 10)))
         (messages (* processes rounds)))
    (run-ring processes few
      (lambda (cold-setup cold-run)
        (run-ring processes rounds
          (lambda (setup run)
            (list "us_per_spawn" (/ (* 1e6 setup) processes)
                  "ns_per_message" (/ (* 1e9 run) messages)
                  "messages" messages
                  "setup_seconds" setup
                  "run_seconds" run
                  "us_per_spawn_cold" (/ (* 1e6 cold-setup) processes)
                  "ns_per_message_cold" (/ (* 1e9 cold-run) (* processes few)))))))))
